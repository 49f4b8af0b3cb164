package dev.nonbis.server.config;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a file's nodes against the known shape, keeping line and column of everything, and going on after an error. */
final class YamlFile {

    private final Path file;
    private final Path base;
    private final Written written;

    private YamlFile(Path file, Written written) {
        this.file = file;
        this.base = Optional.ofNullable(file.getParent()).orElse(Path.of(""));
        this.written = written;
    }

    static void read(Path file, String text, Written into) {
        new YamlFile(file, into).document(text);
    }

    private void document(String text) {
        var settings = LoadSettings.builder().setLabel(file.toString()).build();
        try {
            new Compose(settings).composeString(text).ifPresent(root -> {
                if (!isNull(root)) {
                    node(root, Shape.of(Entries.ALL), "");
                }
            });
        } catch (MarkedYamlEngineException e) {
            var mark = e.getProblemMark().or(e::getContextMark);
            written.error(place(mark), "", "not YAML: " + e.getProblem());
        } catch (YamlEngineException | IllegalArgumentException e) {
            // The library takes an escape that ends too soon for a number, and fails as one would.
            written.error(place(Optional.empty()), "", "not YAML: " + e.getMessage());
        }
    }

    private void node(Node node, Shape shape, String path) {
        switch (shape) {
            case Shape.Group group -> group(node, group, path);
            case Shape.Items items -> items(node, items, path);
            case Shape.Leaf leaf -> leaf(node, path);
        }
    }

    private void group(Node node, Shape.Group group, String path) {
        if (!(node instanceof MappingNode mapping)) {
            written.error(place(node), path, "must be a group of entries: " + known(group));
            return;
        }
        written.parent(path, place(node));
        var seen = new HashSet<String>();
        for (var tuple : mapping.getValue()) {
            var name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
            var inner = path.isEmpty() ? name : path + "." + name;
            var shape = Optional.ofNullable(group.members().get(name))
                    .or(() -> Optional.ofNullable(group.members().get("*")));
            if (shape.isEmpty()) {
                written.error(place(tuple.getKeyNode()), inner, "unknown entry; known here: " + known(group));
            } else if (!seen.add(name)) {
                written.error(place(tuple.getKeyNode()), inner, "written twice");
            } else {
                written.parent(inner, place(tuple.getKeyNode()));
                node(tuple.getValueNode(), shape.get(), inner);
            }
        }
    }

    private void items(Node node, Shape.Items items, String path) {
        if (!(node instanceof SequenceNode sequence)) {
            written.error(place(node), path, "must be a list");
            return;
        }
        written.parent(path, place(node));
        var index = 0;
        for (var item : sequence.getValue()) {
            node(item, items.item(), path + "[" + index++ + "]");
        }
    }

    private void leaf(Node node, String path) {
        if (!(node instanceof ScalarNode scalar)) {
            written.error(place(node), path, "must be a single value");
        } else if (isNull(node)) {
            written.error(place(node), path, "has no value");
        } else {
            written.scalar(path, new Scalar(scalar.getValue(), place(node), base));
        }
    }

    private static boolean isNull(Node node) {
        return Tag.NULL.equals(node.getTag());
    }

    private static String known(Shape.Group group) {
        return group.members().containsKey("*")
                ? "a name with entries of its own"
                : String.join(", ", group.members().keySet());
    }

    private Place place(Node node) {
        return place(node.getStartMark());
    }

    private Place place(Optional<Mark> mark) {
        return new Place.InFile(
                file,
                mark.map(m -> m.getLine() + 1).orElse(1),
                mark.map(m -> m.getColumn() + 1).orElse(1));
    }
}
