"""Boards: cubes, questions and answers, snapshots, bundles and exports."""
