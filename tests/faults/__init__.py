"""Bad days: what participants see, and what is lost or doubled (nothing), when things break."""
