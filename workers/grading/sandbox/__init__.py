"""The sandbox: bubblewrap, launcher and zygote."""
