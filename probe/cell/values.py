def nbmedic_values(shell, error, shown, until=0.03, most=40):
    """What the names on the lines of a failure stand for, as text: for each of the user's own frames (cells, and files below
    the working folder), outermost first, the names on its line and its arguments, in words; then the same for programs
    (FORMAT.md). Only looks: nothing of an object is called unless its type is known by module and name, nothing is kept,
    and after `until` seconds of processor time or `most` names it ends, but never before the first few: a machine that
    others use, too, may take that long for nothing."""
    import collections, contextlib, itertools, json, linecache, os, re, sys, time, types

    began = time.thread_time()
    read = type.__dict__
    # Keys that may be secrets are not told, nor columns with addresses. They need not be like the names of secrets, as `token_id`.
    odd = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w+/=.-]{16,}|://|@")

    def plain(text):
        """Whether a record of the flight would show the same."""
        return shown(text, True) == text

    layers = "in_features out_features in_channels out_channels num_features num_embeddings embedding_dim normalized_shape".split()

    def kind(value):
        """The type's module and name. Classes may hide theirs behind code of their own; this does not run it."""
        of = type(value)
        module = read["__module__"].__get__(of)
        return module if type(module) is str else "", read["__name__"].__get__(of)[:60]

    def bases(value):
        return [(read["__module__"].__get__(of), read["__name__"].__get__(of)) for of in read["__mro__"].__get__(type(value))]

    def own(value):
        """The object's own attributes, unless its class computes them."""
        for of in read["__mro__"].__get__(type(value)):
            holder = read["__dict__"].__get__(of).get("__dict__")
            if holder is not None:
                return holder.__get__(value) if type(holder) is types.GetSetDescriptorType else {}
        return {}

    def names(values):
        """The types of up to twenty elements."""
        return " or ".join(dict.fromkeys(kind(one)[1] for one in itertools.islice(values, 20)))[:60]

    def text(value, most=60):
        return value[:most] + "…" * (len(value) > most)

    def bad(finite):
        """NaN and infinity among sampled elements: how many, and of how many."""
        return int((~finite).sum()), len(finite)

    def dims(shape):
        return [int(n) for n in shape]

    def array(value, dtype, shape, device="", grad=False, more="", nan=(0, 0)):
        facts = {"t": kind(value)[1], "d": dtype, "s": shape}
        if nan[0]:
            facts["nan"] = nan[0]
            more += f", {nan[0]} of {nan[1]} sampled NaN or inf"
        if device:
            facts["dev"] = device
        if grad:
            facts["grad"] = 1
        shown = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
        return f"{dtype} {shown}" + f" on {device}" * bool(device) + ", requires grad" * grad + more, facts

    def tell(name, value):
        """A value in words, and as facts."""
        module, of = kind(value)
        root = module.split(".")[0]
        if value is None or of in ("bool", "int", "float", "complex") and root == "builtins":
            if of == "int" and value.bit_length() > 200:
                return f"int of {value.bit_length()} bits", {"t": of}
            return repr(value), {"t": of, "v": repr(value)}
        if root == "builtins" and of in ("str", "bytes"):
            if of == "str" and plain(f"{name}={value}"):
                return repr(value), {"t": of, "v": value, "n": len(value)}
            return f"{of} of {len(value)}", {"t": of, "n": len(value)}
        if root == "builtins" and of in ("list", "tuple", "set", "frozenset", "dict"):
            size, facts = len(value), {"t": of, "n": len(value)}
            within = names(value.values() if of == "dict" else value)
            words = f"{of} of {size}" + f" {within}" * bool(within)
            if of == "dict":
                keys = [key for key in itertools.islice(value, 30) if type(key) is str and len(key) < 40 and not odd.search(key)]
                if keys:
                    facts["k"] = keys
                    words += ", keys " + text(", ".join(map(repr, keys)))
            return words, {**facts, "of": within}
        if module == "numpy" and ("numpy", "ndarray") in bases(value):
            base = sys.modules["numpy"].ndarray
            dtype, shape = base.dtype.__get__(value), dims(base.shape.__get__(value))
            sampled = of == "ndarray" and dtype.kind in "fc"
            return array(value, str(dtype), shape, nan=bad(sys.modules["numpy"].isfinite(value.flat[:10000])) if sampled else (0, 0))
        if root == "numpy" and ("numpy", "generic") in bases(value):
            return f"{of} {value.item()!r}"[:60], {"t": of, "v": repr(value.item())[:60]}
        if (module, of) in (("torch", "Tensor"), ("torch.nn.parameter", "Parameter")):
            torch, nan = sys.modules["torch"], (0, 0)
            dense = value.layout is torch.strided
            if dense and value.device.type == "cpu" and value.is_floating_point() and value.is_contiguous():
                with torch.no_grad():
                    nan = bad(torch.isfinite(value.detach().view(-1)[:10000]))
            return array(value, str(value.dtype)[6:], dims(value.shape), str(value.device), value.requires_grad, ", sparse" * (not dense), nan)
        if root in ("tensorflow", "keras", "jaxlib", "jax") and of in ("EagerTensor", "ArrayImpl", "ResourceVariable"):
            shape, numpy, nan = [-1 if n is None else int(n) for n in tuple(value.shape)], sys.modules["numpy"], (0, 0)
            if of == "ArrayImpl":
                device, = [f"{one.platform}:{one.id}" for one in value.devices()][:1]
            else:
                device = value.device.rpartition("device:")[2].lower()
            dtype = getattr(value.dtype, "name", str(value.dtype))
            # Small ones in host memory, if they are computed already.
            if device[:3] == "cpu" and dtype.startswith(("float", "complex")) and numpy.prod(shape) <= 10000 and (of != "ArrayImpl" or value.is_ready()):
                nan = bad(numpy.isfinite(numpy.asarray(value)).ravel())
            return array(value, dtype, shape, device, nan=nan)
        if root == "pandas" and of == "DataFrame":
            rows, columns = value.shape
            labels = [c if type(c) is str else repr(c)[:40] for c in value.columns[:60].tolist()]
            labels = ["…" if re.search("@|://", c) else c for c in labels]
            types_ = [str(d) for d in value.dtypes.tolist()[:60]]
            gaps = [label for label, gap in zip(labels, value.iloc[:5000, :60].isna().any().tolist()) if gap]
            facts = {"t": of, "s": [rows, columns], "c": labels, "ct": types_, "na": gaps}
            words = f"{rows} rows × {columns} columns: " + text(", ".join(f"{c} {d}" for c, d in zip(labels, types_)), 160)
            return words + (", missing values in " + text(", ".join(gaps))) * bool(gaps), facts
        if root == "pandas" and of in ("Series", "Index", "RangeIndex"):
            label = value.name if type(value.name) is str and not odd.search(value.name) else ""
            gaps = int(value[:5000].isna().sum()) if of == "Series" else 0
            facts = {"t": of, "n": len(value), "d": str(value.dtype), **({"nan": gaps} if gaps else {})}
            return f"{of} {label!r} of {len(value)} {value.dtype}" + f", {gaps} missing" * bool(gaps), facts
        if module.startswith("scipy.sparse"):
            held = own(value)
            return array(value, str(getattr(held.get("data"), "dtype", "")), dims(held.get("_shape", ())), more=", sparse")
        if root == "PIL" and ("PIL.Image", "Image") in bases(value):
            held = own(value)
            return f"image {held.get('_size')} {held.get('_mode')}", {"t": "Image", "s": list(held.get("_size") or ()), "v": str(held.get("_mode"))}
        if ("torch.nn.modules.module", "Module") in bases(value):
            sizes = {key: own(value)[key] for key in layers if type(own(value).get(key)) in (int, tuple)}
            facts, parts = {"t": of, "l": sizes}, [value]
            for part in itertools.islice(iter(parts), 50):
                # Where the first weights are.
                held = own(part)
                first = next((one for one in (held.get("_parameters") or {}).values() if kind(one) == ("torch.nn.parameter", "Parameter")), None)
                if first is not None:
                    facts["dev"] = str(first.device)
                    break
                parts += filter(None, (held.get("_modules") or {}).values())
            return of + "".join(f", {key} {size}" for key, size in sizes.items()) + f" on {facts.get('dev')}" * ("dev" in facts), facts
        if root == "sklearn" and type(own(value).get("n_features_in_")) is int:
            size = own(value)["n_features_in_"]
            return f"{of}, fitted on {size} features", {"t": of, "m": root, "l": {"n_features_in_": size}}
        if type(value) is types.FunctionType:
            code = value.__code__
            arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            return f"function ({text(', '.join(arguments), 100)})", {"t": "function", "a": list(arguments[:20])}
        if type(value) is types.ModuleType:
            version = value.__dict__.get("__version__")
            # PyTorch's is of a type of its own.
            version = str.__str__(version) if ("builtins", "str") in bases(version) else ""
            return f"module {value.__dict__.get('__name__')} {version}".strip(), {"t": "module", "v": version}
        if ("builtins", "type") in bases(value):
            return f"class {read['__name__'].__get__(value)}", {"t": "class"}
        if root == "builtins" and of in ("range", "slice"):
            return repr(value), {"t": of, "v": repr(value)}
        return (of if root in ("builtins", "__main__") else f"{root} {of}")[:60], {"t": of, "m": root}

    def inner(frame):
        """Whether it is a function's, not a cell's: IPython has named those in two ways."""
        return not frame.f_code.co_name.startswith(("<module", "<cell"))

    def code(frame, step):
        """The text of what failed: of all of its lines, and, where Python knows its place, of the failing part alone."""
        first, line, place, part = step.tb_lineno, step.tb_lineno, (None,), ""
        if hasattr(frame.f_code, "co_positions"):
            place = next(itertools.islice(frame.f_code.co_positions(), step.tb_lasti // 2, None), place)
        if None not in place:
            first, line = place[0], min(place[1], place[0] + 20)
        rows = [linecache.getline(frame.f_code.co_filename, n) for n in range(first, line + 1)]
        if None not in place and line == place[1]:
            # Columns count bytes.
            cut = [row.encode() for row in rows]
            cut[-1] = cut[-1][: place[3]]
            cut[0] = cut[0][place[2] :]
            part = b"".join(cut).decode(errors="ignore")
        return "".join(rows)[:4000], part[:4000]

    def spoken(source):
        """The names in it, not in its strings and comments."""
        return re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)?", re.sub(r"'[^'\n]*'|\"[^\"\n]*\"|#.*", " ", source))

    def look(frame, step):
        """A frame's names in words and facts, those of the failing part first, and that part if the line has others, too."""
        rows, seen, some = [], set(), False
        arguments = frame.f_code.co_varnames[: frame.f_code.co_argcount] if inner(frame) else ()
        whole, failed = code(frame, step)
        operands, others = spoken(failed), spoken(whole)
        for n, name in enumerate([*operands, *others, *arguments]):
            first, _, rest = name.partition(".")
            for part in (first, name) if rest else (first,):
                if part in seen or len(seen) > 60:
                    continue
                seen.add(part)
                scope = next((scope for scope in (frame.f_locals, frame.f_globals) if first in scope), None)
                if scope is None or first.startswith("__") or n > 3 and time.thread_time() - began > until:
                    continue
                value = scope[first]
                if part is not first:
                    held = own(value) if type(value) is not types.ModuleType else {}
                    for within in ("_modules", "_parameters", "_buffers"):
                        if type(held.get(within)) is dict and rest in held[within]:
                            held = held[within]
                    if rest not in held:
                        continue
                    value = held[rest]
                elif rest and type(value) is types.ModuleType and len(rows) > 8:
                    continue
                try:
                    words, facts = tell(part.rpartition(".")[2], value)
                except Exception:
                    words, facts = kind(value)[1][:60], {"t": kind(value)[1][:60]}
                if n < len(operands):
                    facts["at"] = 1
                elif n < len(operands) + len(others):
                    some = True
                rows.append((part[:60], words, facts))
        for *_, facts in () if some else rows:
            facts.pop("at", 0)
        failed = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "'…'", failed.strip())
        return rows, failed if some and plain(failed) else ""

    # Who holds the memory --------------------------------------------------------------------------------------------

    # What was counted counts once: other names of the same object, views of an array and tensors of one storage add nothing.
    counted = {id(shell), id(shell.user_ns)}
    containers = list, tuple, set, frozenset, dict, collections.deque, collections.defaultdict, collections.OrderedDict

    def weigh(value, deep=0):
        """Bytes, arrays, autograd graphs and bytes in CUDA's memory that a value holds. Of many elements the first stand for all, and fewer when time
        is short, but always one."""
        parts, size, total, whole = (), 0, [0, 0, 0, 0], False
        if value is None or id(value) in counted:
            return total
        counted.add(id(value))
        module, of = kind(value)
        root, base = module.split(".")[0], bases(value)
        if type(value) in (str, bytes, bytearray, int, float, complex):
            total[0] = sys.getsizeof(value)
        elif type(value) in containers:
            total[0] = sys.getsizeof(value)
            parts = list(itertools.islice(value.values() if isinstance(value, dict) else value, 2000 >> max(0, deep)))
            size = len(value)
        elif ("numpy", "ndarray") in base:
            array = sys.modules["numpy"].ndarray
            while ("numpy", "ndarray") in bases(array.base.__get__(value)):
                value = array.base.__get__(value)
                if id(value) in counted:
                    return total
                counted.add(id(value))
            if kind(value)[1] != "memmap":
                total[:2] = array.nbytes.__get__(value), 1
                if array.dtype.__get__(value).kind == "O" and type(value) is array:
                    parts = value.flat[:1000].tolist()
                    size, whole = array.size.__get__(value), True
        elif (module, of) in (("torch", "Tensor"), ("torch.nn.parameter", "Parameter")):
            if value.layout is sys.modules["torch"].strided and value.device.type != "meta":
                storage = value.untyped_storage() if hasattr(value, "untyped_storage") else value.storage()
                total[1:3] = 1, int(value.grad_fn is not None)
                roots.extend([value.grad_fn] * total[2])
                if (storage.data_ptr(), 0) not in counted:
                    counted.add((storage.data_ptr(), 0))
                    total[0] = storage.nbytes()
                    total[3] = total[0] * (value.device.type == "cuda")
                if value.is_leaf and value.grad is not None:
                    parts = [value.grad]
                    alive.extend(parts)
        elif root in ("cupy", "jax", "jaxlib", "polars", "tensorflow") and of in ("ndarray", "ArrayImpl", "DataFrame", "EagerTensor"):
            shape = () if root == "polars" else tuple(value.shape)
            total[:2] = value.estimated_size() if root == "polars" else value.dtype.size if root == "tensorflow" else value.dtype.itemsize, 1
            for n in shape:
                total[0] *= n
        elif root == "pandas" and of in ("DataFrame", "Series"):
            # Columns that Copy-on-Write shares count once.
            held = own(value)["_mgr"]
            parts, total[1], whole = [*(block.values for block in held.blocks), *held.axes], 1, True
        elif root == "pandas" and hasattr(value, "nbytes"):
            parts = (getattr(value, "_ndarray", None),)
            total[0] = value.nbytes if parts[0] is None else 0
        elif type(value) is types.TracebackType:
            while value is not None and len(parts) < 200:
                frame, value = value.tb_frame, value.tb_next
                parts += tuple(frame.f_locals.values()) if inner(frame) else ()
        elif ("builtins", "BaseException") in base:
            parts = BaseException.__traceback__.__get__(value), BaseException.__context__.__get__(value)
        elif ("builtins", "type") not in base and type(value) not in (types.ModuleType, types.FunctionType):
            # A module's parts are as deep as they are; other objects' are not followed far.
            parts, deep = list(own(value).values())[:200], deep + 2 - 4 * (("torch.nn.modules.module", "Module") in base)
        sums, done = [0, 0, 0, 0], 0
        for part in parts if deep < 6 else ():
            # A table's few blocks are looked at in any case.
            if done and (size or not whole) and time.thread_time() > stop:
                break
            done += 1
            with contextlib.suppress(Exception):
                sums = [a + b for a, b in zip(sums, weigh(part, deep + 1))]
        # Elements are alike, attributes are not.
        scale = max(size / (done or 1), 1)
        # An array or a table counts once, whatever is in it.
        return [n if whole and at == 1 else n + m * scale for at, (n, m) in enumerate(zip(total, sums))]

    def size(n):
        return f"{n / 2**30:.1f} GiB" if n >= 1 << 30 else f"{n / 2**20:.1f} MiB"

    def follow(ends):
        """Bytes, and bytes in CUDA's memory, that autograd graphs keep for their backward pass beyond what is counted. Saved
        tensors that a hook would unpack are left alone."""
        sums, done = [0, 0], 0
        for end in ends:
            if done and time.thread_time() > stop:
                break
            done += 1
            nodes = [end]
            while nodes and len(alive) < 20000:
                node = nodes.pop()
                if id(node) in counted or kind(node)[0] not in ("builtins", "torch._C._functions") or node is None:
                    continue
                counted.add(id(node))
                # Their Python objects are made on demand: an identity holds as long as they do.
                alive.append(node)
                nodes += [one for one, _ in node.next_functions]
                for key in dir(type(node)):
                    with contextlib.suppress(Exception):
                        saved = getattr(node, key) if key.startswith("_raw_saved") else ()
                        for one in saved if type(saved) is tuple else [saved]:
                            if one.unpack_hook is None:
                                alive.append(one.data)
                                held = weigh(alive[-1])
                                sums = [sums[0] + held[0], sums[1] + held[3]]
        return [n * len(ends) / (done or 1) for n in sums]

    def share(part):
        nonlocal stop
        now, end = time.thread_time(), began + until * 0.7
        stop = now + (end - now) / part
        return now < end or len(counted) < 300

    def hold(name, value, **more):
        with contextlib.suppress(Exception):
            if not share(4):
                return
            roots.clear()
            held, arrays, graphs, there = map(round, weigh(value))
            named.append(there)
            held = there if device else held
            if held >= 1 << 20 or graphs:
                facts = {"t": kind(value)[1], "b": held, "a": arrays, **more}
                if graphs:
                    facts["g"] = graphs
                    graph.append((facts, roots[:]))
                if type(value) in containers:
                    facts.update(n=len(value), of=names(value.values() if isinstance(value, dict) else value))
                holders.append((name[:60], facts))

    def hoard():
        """The largest holders of memory: globals and their attributes, the cells' results, the traceback's frames."""
        for name, value in list(shell.user_ns.items()):
            if not re.fullmatch(r"_+(i*\d*|[ido]h)|In|Out|get_ipython|exit|quit|open", name) and type(value) is not types.ModuleType:
                if kind(value)[0] == "__main__":
                    for key, part in list(own(value).items())[:200]:
                        if type(key) is str and key[:1] != "_":
                            hold(f"{name}.{key}", part)
                hold(name, value)
        hold("Out", shell.user_ns.get("Out"))
        step, mine = error.__traceback__, False
        while step is not None:
            frame, step = step.tb_frame, step.tb_next
            mine = mine or frame.f_globals is shell.user_ns
            for name, value in list(frame.f_locals.items()) if mine and inner(frame) else ():
                hold(name, value, **{"in": frame.f_code.co_name[:40]})
        for facts, ends in graph:
            if share(2):
                more, there = follow(ends)
                facts["b"] += round(there if device else more)
                named.append(there)
                known.append(more)

    def fragments():
        """What CUDA's allocator has: in use, reserved, reserved in pieces; and how much of it has no name. Graphs hold that."""
        with contextlib.suppress(Exception):
            if sys.modules["torch"].cuda.is_initialized():
                stats = sys.modules["torch"].cuda.memory_stats()
                cuda.extend(stats.get(f"{key}_bytes.all.current", 0) for key in ("allocated", "reserved", "inactive_split"))
                cuda.append(max(0, round(cuda[0] - sum(named))))
                # An older PyTorch does not tell what a graph keeps. Then it goes to who has most of the graphs.
                most = max((facts for facts, _ in graph), key=lambda facts: facts["g"])
                if not any(known) and most["g"] * 2 > sum(facts["g"] for facts, _ in graph):
                    most["b"] += cuda[3]

    holders, graph, roots, alive, named, known, cuda, stop = [], [], [], [], [], [], [], 0
    message = BaseException.args.__get__(error)[:1]
    told = " ".join(of for _, of in bases(error)) + (message[0][:2000] if message and type(message[0]) is str else "")
    short = re.search("OutOfMemory|MemoryError|ResourceExhausted|out of memory|t allocate memory|RESOURCE_EXHAUSTED|ALLOC_FAILED", told)
    # What fills the host's memory did not fill the device's.
    device = short and "CUDA" in told and "torch" in sys.modules
    if short:
        hoard()
        fragments()
    step, steps, here = error.__traceback__, [], os.getcwd() + "/"
    while step is not None:
        frame = step.tb_frame
        path = frame.f_code.co_filename
        if frame.f_globals is shell.user_ns or path.startswith(here) and "-packages/" not in path:
            steps = [*steps[-3:], step]
        step = step.tb_next
    # The inner ones count most, so they come first until time or room is used up.
    found = []
    for step in reversed(steps):
        rows, failed = look(step.tb_frame, step)
        rows = rows[:most]
        most -= len(rows)
        found.insert(0, (step.tb_lineno, step.tb_frame.f_code.co_name, rows, failed))
    if not short:
        hoard()
    # The next failure ends this traceback, and what it alone keeps: until then this much is told of it, without the objects.
    earlier, nbmedic_values.kept = getattr(nbmedic_values, "kept", []), [[name, {**facts, "was": 1}] for name, facts in holders if "in" in facts]
    holders = sorted(holders + earlier, key=lambda one: -one[1]["b"])[:8] if short else []
    while True:
        facts = {"k": "v", "f": [[line, function, [[name, facts] for name, _, facts in rows]] for line, function, rows, _ in found]}
        machine = json.dumps({**facts, **({"h": holders, "cuda": cuda} if holders else {})}, separators=(",", ":"))
        words = ["nbmedic: values when it failed"] + ["  memory, the largest first"] * bool(holders)
        for name, facts in holders:
            within = f" of {facts['n']} {facts['of']}" if "n" in facts else ""
            graphs = ", with graphs" if "g" in facts else ""
            where = f", in {facts['in']}, kept by the traceback" + " before" * ("was" in facts) if "in" in facts else ""
            words.append(f"    {name} = {facts['t']}{within}{graphs}{where}: {size(facts['b'])}")
        if cuda:
            words.append(f"    CUDA: {size(cuda[0])} allocated, {size(cuda[1])} reserved, {size(cuda[2])} of it in pieces; {size(cuda[3])} without a name")
        for line, function, rows, failed in found:
            words += ["  " + f"in {function}, " * (function[0] != "<") + f"line {line}" + f", at {failed}" * bool(failed)] * bool(rows)
            words += [f"    {name} = {text(said, 200)}" for name, said, facts in rows if facts["t"] != "module"]
        if not words[1:]:
            return ""
        # Nothing in it may steer a terminal or look like the machine's part.
        words = ["".join(c if c.isprintable() and c not in "⟦⟧" else "·" for c in row) for row in words]
        told = "\n".join(words) + f"\n⟦nbmedic:1 {machine}⟧"
        if len(told.encode()) <= 4096:
            return told
        # Too long: half of the widest table's columns go, otherwise what counts least.
        wide = max((facts for _, _, rows, _ in found for *_, facts in rows), key=lambda facts: len(facts.get("c", ())), default={})
        if len(wide.get("c", ())) > 9:
            for key in "c", "ct":
                del wide[key][len(wide[key]) // 2 :]
        else:
            max([rows for _, _, rows, _ in found if rows] or [holders], key=len).pop()
