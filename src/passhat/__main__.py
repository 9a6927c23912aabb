"""`python -m passhat` is the command line."""

from passhat.cli import main

if __name__ == "__main__":
    main()
