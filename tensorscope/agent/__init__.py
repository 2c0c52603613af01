"""Everything that runs inside the debuggee. Imports nothing but protocol, errors and the standard library; torch only through the user's own import."""
