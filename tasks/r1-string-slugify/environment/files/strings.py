"""Small helpers for text."""


def slugify(text):
    """A slug for a URL: lower-case letters and digits, words joined by hyphens."""
    slug = ""
    for letter in text.lower():
        if letter.isascii() and letter.isalnum():
            slug += letter
        elif letter.isascii():
            slug += "-"
    return slug
