"""Simulated participants: browsers without scripts that walk a study's real pages over HTTP.

They try a study out before people do, and they are the load of the measurements. Nothing here
reads the database: what a simulated person knows is on the pages, or was handed to it.
"""
