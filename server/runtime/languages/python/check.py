"""
Checks a version before it is published, running as a function in the sandbox: no code of the version is
executed. Returns {"handler", "entry"} or {"problems"}, each with file, line, column and text.
"""
import ast
import importlib.util
import json
import re
import sys
import warnings

PLACES = ("main", "index", "src/main", "src/index", "lambda_function", "app")
NAMES = ("handler", "lambda_handler")
SHOWN = 10


def handler(event, context):
    asked = json.loads(event["body"])
    files, wanted = asked["files"], asked.get("handler")
    problems = list(requirements(files))
    trees = {}
    for path in sorted(files):
        if path.endswith(".py"):
            try:
                trees[path] = compiled(files[path], path)
            except SyntaxError as error:
                problems.append(problem(path, error.lineno, error.offset, f"{type(error).__name__}: {error.msg}"))
            except (ValueError, RecursionError, MemoryError) as error:
                problems.append(problem(path, 1, 1, f"{type(error).__name__}: {error}"))
    if problems:
        return {"problems": problems}
    for path, tree in trees.items():
        problems += missing_imports(tree, path, files)
    entry, name, found = resolved(wanted, files, trees)
    if entry is None:
        return {"problems": [*problems, problem(found, 1, 1, name)]}
    named = names_of(trees[entry])
    if not wanted and named is not None:
        name = next((each for each in NAMES if each in named), NAMES[0])
        found = f"{found}.{name}"
    if named is not None and name not in named:
        text = f'The handler "{found}" needs a function "{name}"; {entry} has {listed(named)}'
        problems.append(problem(entry, 1, 1, text))
    return {"problems": problems} if problems else {"handler": found, "entry": entry}


def problem(file, line, column, text):
    return {"file": file, "line": max(line or 1, 1), "column": max(column or 1, 1), "text": text}


def compiled(text, path):
    """Compiles like an import, without executing: some errors are found only after parsing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = compile(text, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        compile(tree, path, "exec", dont_inherit=True)
    return tree


def requirements(files):
    for number, line in enumerate(files.get("requirements.txt", "").splitlines(), 1):
        wanted = line.split("#")[0].strip()
        name = re.match(r"[A-Za-z0-9_.-]*", wanted).group()
        if wanted and name not in sys.stdlib_module_names:
            text = f"Python functions have the standard library and their own files; {wanted} can't be installed"
            yield problem("requirements.txt", number, 1, text)


def missing_imports(tree, path, files):
    """Imports of a module when it loads. Those in functions or try statements may fail intentionally."""
    rest = list(tree.body)
    while rest:
        node = rest.pop(0)
        if isinstance(node, (ast.If, ast.With, ast.For, ast.While)):
            rest += [*node.body, *getattr(node, "orelse", [])]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if not module_exists(alias.name, path, files):
                    yield absent(path, node, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and not module_exists(node.module, path, files):
            yield absent(path, node, node.module)
        elif isinstance(node, ast.ImportFrom) and node.level > 0 and node.module:
            above = path.split("/")[: -node.level]
            if "/".join(above) and not is_file("/".join([*above, *node.module.split(".")]), files):
                yield absent(path, node, "." * node.level + node.module)


def absent(path, node, name):
    if name.lstrip(".").split(".")[0] in sys.stdlib_module_names:
        text = f'No module named "{name}" here: it is a part of the standard library that this Python is without'
    else:
        text = f'No module named "{name}": there is the standard library, and the function\'s own files'
    return problem(path, node.lineno, node.col_offset + 1, text)


def is_file(place, files):
    if place + ".py" in files or place + "/__init__.py" in files:
        return True
    return any(each.startswith(place + "/") and each.endswith(".py") for each in files)


def module_exists(name, path, files):
    beside = path.rpartition("/")[0]
    for root in dict.fromkeys(("", beside)):
        first = "/".join(filter(None, (root, name.split(".")[0])))
        if is_file(first, files):
            return is_file("/".join(filter(None, (root, name.replace(".", "/")))), files)
    try:
        return importlib.util.find_spec(name.split(".")[0]) is not None
    except (ImportError, ValueError):
        return False


def resolved(wanted, files, trees):
    """Returns the entry file, the name and the complete handler; or None, the problem and its file."""
    if not wanted:
        for place in PLACES:
            if place + ".py" in trees:
                return place + ".py", NAMES[0], place
        return None, "Expected a file main.py with a function handler(event, context), or a handler that names another", "main.py"
    target, _, name = wanted.rpartition(".")
    if not target:
        return None, f'The handler "{wanted}" should be a file and a function, such as main.handler', wanted
    for place in (target, target.replace(".", "/")):
        for path in (place + ".py", place + "/__init__.py"):
            if path in trees:
                return path, name, wanted
    return None, f'The handler "{wanted}" needs a file "{target}.py"; found {listed(trees)}', target


def names_of(tree):
    """The names that a module binds; None if they cannot be determined without running it."""
    names = set()
    rest = list(tree.body)
    while rest:
        node = rest.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if alias.name == "*":
                    return None
                names.add((alias.asname or alias.name).split(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif not isinstance(node, ast.Lambda):
            rest += ast.iter_child_nodes(node)
    return None if "__getattr__" in names else names


def listed(names):
    shown = sorted(names)[:SHOWN]
    if not shown:
        return "nothing"
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
