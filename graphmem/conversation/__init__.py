"""Threads, turns and messages: who said what to whom, in which order."""
