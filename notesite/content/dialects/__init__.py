"""Other people's folders, one dialect a file: told from others, and read into a library."""
