from slug import slug
def test_lower(): assert slug("ABC") == "abc"
def test_spaces(): assert slug("a b") == "a-b"
