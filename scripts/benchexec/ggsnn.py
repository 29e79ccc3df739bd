"""How BenchExec runs `ggsnn verify`: a tool-info module (benchexec.tools)."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Prove memory safety of C programs."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("ggsnn", subdir="bin")

    def name(self):
        return "ggsnn"

    def project_url(self):
        return "https://arxiv.org/abs/1511.05493"

    def version(self, executable):
        return self._version_from_tool(executable, arg="--version", line_prefix="ggsnn").split()[0]

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options, "--property", task.property_file or "memory"]
        if rlimits.cputime:
            command += ["--timeout", str(max(1, int(rlimits.cputime * 0.95)))]
        command += list(task.input_files_or_identifier)
        data_model = (task.options or {}).get("data_model") if isinstance(task.options, dict) else None
        if data_model:
            command += ["--", {"ILP32": "-m32", "LP64": "-m64"}[data_model]]
        return command

    def determine_result(self, run):
        for line in reversed(run.output):
            if line.startswith("result: "):
                said = line[len("result: ") :].strip()
                if said == "true":
                    return result.RESULT_TRUE_PROP
                if said.startswith("false"):
                    return said
                return result.RESULT_UNKNOWN
        return result.RESULT_ERROR
