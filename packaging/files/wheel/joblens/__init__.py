"""Watch what cluster jobs print, and plot the numbers in it, inside Grafana: the command `joblens`."""
