"""How strong the computer players are, measured on duplicate deals (``make ladder``)."""
