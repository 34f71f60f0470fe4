"""Commands of careless users and of attackers: nothing of theirs is lost, run or deleted."""
