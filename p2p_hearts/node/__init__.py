"""The asyncio side of a table: links, table, log, front end and player brought together."""
