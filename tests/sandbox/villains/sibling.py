"""What the honest bot keeps beside itself."""

VALUE = 42
