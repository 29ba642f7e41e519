"""test-output: a right program's output for a test's input (LiveCodeBench, test output prediction)."""

from app.domain.boards.named_boards import NamedBoard

BOARD = NamedBoard(
    "test-output", "test_output", "house-test-output", {"en": "Test output prediction", "zh": "测试输出预测"}, place=4
)
