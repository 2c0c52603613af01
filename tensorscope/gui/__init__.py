"""The window: docks, panels, actions. Widgets draw a finished view and report clicks."""
