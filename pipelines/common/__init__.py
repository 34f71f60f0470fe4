"""What the commands share: values of options, logs, stopping, progress."""
