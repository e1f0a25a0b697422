"""The words and rules of the service; whoever asks brings the facts and the time."""
