"""A club's rating lists: kept up to date with its final results, shown, and explained match by match."""
