// SPDX-License-Identifier: Apache-2.0
// GET /plugins: plugins of the page that this server offers. They run in the page only, in an
// interpreter of their own (web/docs/plugins.md); here they are texts.
#include <algorithm>

#include "core/base/text/printable.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

constexpr size_t kPluginsMax = 64;
constexpr uint64_t kPluginBytesMax = 1 << 20;
constexpr uint64_t kTogetherMax = 8 << 20;

struct Plugin {
  std::string file;
  std::optional<std::string> text;
  std::optional<std::string> problem;  // Why there is no text.
};

bool IsUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t size = FirstCharacter(bytes).size;
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

Plugin ReadPlugin(FileSystem& fs, const std::string& directory, const std::string& name) {
  Plugin plugin{.file = name, .text = {}, .problem = {}};
  Result<std::string> text = ReadFileToString(fs, directory + "/" + name, kPluginBytesMax);
  if (!text.ok()) {
    plugin.problem =
        text.status().code() == Code::kCorruption ? "is larger than 1 MiB" : "cannot be read";
  } else if (!IsUtf8(*text)) {
    plugin.problem = "is not UTF-8";
  } else {
    plugin.text = *std::move(text);
  }
  return plugin;
}

// As they are at this moment, so that who writes one need not start the server anew.
Answer<std::vector<Plugin>> ReadPlugins(const ServiceOptions& options) {
  std::vector<Plugin> plugins;
  uint64_t together = 0;
  if (options.plugins.empty()) return plugins;
  Result<std::vector<DirectoryEntry>> entries = options.file_system->List(options.plugins);
  if (!entries.ok()) return Problem("io_error", "the folder of plugins cannot be read");
  std::sort(entries->begin(), entries->end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory || !entry.name.ends_with(".js") || !IsUtf8(entry.name)) continue;
    if (plugins.size() == kPluginsMax || together > kTogetherMax) {
      plugins.push_back({"…",
                         {},
                         "there are more: " + std::to_string(kPluginsMax) +
                             " files are read, and " + std::to_string(kTogetherMax >> 20) +
                             " MiB"});
      break;
    }
    plugins.push_back(ReadPlugin(*options.file_system, options.plugins, entry.name));
    if (plugins.back().text) together += plugins.back().text->size();
  }
  return plugins;
}

const Fields<Plugin>& PluginFields() {
  static const auto fields = Fields<Plugin>("Plugin")
                                 .Text("file", &Plugin::file, "its name in the folder")
                                 .Text("text", &Plugin::text, "what is in it")
                                 .Text("problem", &Plugin::problem, "why there is no text of it");
  return fields;
}

struct PluginList {
  std::vector<Plugin> plugins;
};

const Fields<PluginList>& PluginListFields() {
  static const auto fields = Fields<PluginList>().List("plugins", &PluginList::plugins,
                                                       PluginFields(), "in the order of names");
  return fields;
}

Reply GetPlugins(const Call& call) {
  ASSIGN_OR_RETURN(std::vector<Plugin> plugins, ReadPlugins(call.service().options()));
  Json json = call.Head();
  PluginListFields().AddTo(&json, {std::move(plugins)});
  return json;
}

constexpr DocumentSchema kPluginsDocument = {
    .name = "varve.plugins/1",
    .make = [](std::string_view name) { return Document(name, PluginListFields().Members()); }};

}  // namespace

std::span<const Route> PluginsRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/plugins",
       .handler = GetPlugins,
       .auth = Auth::kRead,
       .part = Part::kServer,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kPluginsDocument,
       .summary = "plugins of the page, of the folder that the server was given"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
