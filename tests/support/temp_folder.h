// A folder for the files of one test, removed with everything in it at the test's end.
#pragma once

#include <string>

namespace talus {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Names of everything in it, hidden or not.
  int count() const;

 private:
  std::string path_;
};

void write_text(const std::string& path, const std::string& bytes);
std::string read_text(const std::string& path);

/// The message of the talus::Error that the call throws; "" when it throws none. Anything else that
/// is thrown fails the test.
template <class Call>
std::string error_of(const Call& call);

}  // namespace talus

#include "core/error.h"

template <class Call>
std::string talus::error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
