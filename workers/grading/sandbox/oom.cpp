// Linked into every judged C++ program: an uncaught std::bad_alloc ends it with the code that the judge reads
// as "out of memory" (as in guest.py). Every other uncaught exception ends it as it would have.
#include <exception>
#include <new>
#include <unistd.h>

namespace {

const int out_of_memory = 86;
std::terminate_handler otherwise;

void on_terminate() {
    try {
        if (auto uncaught = std::current_exception()) std::rethrow_exception(uncaught);
    } catch (const std::bad_alloc &) {
        _exit(out_of_memory);
    } catch (...) {
    }
    otherwise();
}

struct Install {
    Install() { otherwise = std::set_terminate(on_terminate); }
} install;

}  // namespace
