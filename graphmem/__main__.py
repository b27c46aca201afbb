"""`python -m graphmem`: the same as `graphmem`."""

from graphmem.cli import main

if __name__ == "__main__":
    main()
