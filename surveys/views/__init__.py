"""The pages of participants. Thin: each reads the request, calls a service and shows the result."""
