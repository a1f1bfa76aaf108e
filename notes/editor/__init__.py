"""What the writing page talks to: django-markdownx's two addresses, answered by views of ours."""
