"""Files and foreign formats, into verbs of the rooms below."""
