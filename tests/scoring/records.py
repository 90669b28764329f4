"""Short match records that the tests make themselves."""

SHORT_MATCH = """ 1 point match

 Game 1
 Ana : 0                          Ben : 0
  1) 42: 8/4 6/4                  31: 8/5 6/5
  2) 65: 24/13                    64: 24/14
  3) 53: 8/3 6/3                  21: 13/11 6/5
  4)                              Wins 1 point and the match
"""


def short_match(white: str, black: str) -> bytes:
    """A short one-point match that ends in a resignation, as a file between two named players."""
    return SHORT_MATCH.replace("Ana", white).replace("Ben", black).encode()
