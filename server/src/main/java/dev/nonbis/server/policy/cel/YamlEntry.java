package dev.nonbis.server.policy.cel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** One entry of a YAML file with its place. What does not fit is noted and reading goes on, so that all mistakes are told at once. */
public final class YamlEntry {

    private final Path file;
    private final Node node;
    private final String path;
    private final List<Complaint> complaints;

    private YamlEntry(Path file, Node node, String path, List<Complaint> complaints) {
        this.file = file;
        this.node = node;
        this.path = path;
        this.complaints = complaints;
    }

    /** The whole document; empty, with a complaint, when there is none. */
    public static Optional<YamlEntry> document(Path file, String text, List<Complaint> complaints) {
        var settings = LoadSettings.builder().setLabel(file.toString()).build();
        try {
            var root = new Compose(settings).composeString(text).filter(node -> !isNull(node));
            if (root.isEmpty()) {
                complaints.add(new Complaint(file, 1, 1, "", "the file is empty"));
            }
            return root.map(node -> new YamlEntry(file, node, "", complaints));
        } catch (MarkedYamlEngineException e) {
            complaints.add(at(file, e.getProblemMark().or(e::getContextMark), "", "not YAML: " + e.getProblem()));
        } catch (YamlEngineException | IllegalArgumentException e) {
            // The library takes an escape that ends too soon for a number, and fails as one would.
            complaints.add(
                    new Complaint(file, 1, 1, "", "not YAML: " + Language.oneLine(String.valueOf(e.getMessage()))));
        }
        return Optional.empty();
    }

    /** The members of a group; unknown and repeated ones are noted and left out. */
    public Map<String, YamlEntry> group(List<String> known) {
        var members = new LinkedHashMap<String, YamlEntry>();
        if (!(node instanceof MappingNode mapping)) {
            complain("must be a group of entries: " + String.join(", ", known));
            return members;
        }
        for (var tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
            String inner = path.isEmpty() ? name : path + "." + name;
            var entry = new YamlEntry(file, tuple.getValueNode(), inner, complaints);
            if (!known.contains(name)) {
                complaints.add(at(
                        file,
                        tuple.getKeyNode().getStartMark(),
                        inner,
                        "unknown entry; known here: " + String.join(", ", known)));
            } else if (members.putIfAbsent(name, entry) != null) {
                complaints.add(at(file, tuple.getKeyNode().getStartMark(), inner, "written twice"));
            }
        }
        return members;
    }

    /** The members of a group whose names are the writer's own; repeated ones are noted and left out. */
    public Map<String, YamlEntry> named() {
        if (!(node instanceof MappingNode mapping)) {
            complain("must be a group of entries");
            return Map.of();
        }
        return group(mapping.getValue().stream()
                .map(tuple -> tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "")
                .toList());
    }

    List<YamlEntry> items() {
        var items = new ArrayList<YamlEntry>();
        if (node instanceof SequenceNode sequence) {
            for (var item : sequence.getValue()) {
                items.add(new YamlEntry(file, item, path + "[" + items.size() + "]", complaints));
            }
        } else {
            complain("must be a list");
        }
        return items;
    }

    /** A single value as it was written; empty, with a complaint, when it is none. */
    public Optional<String> text() {
        if (!(node instanceof ScalarNode scalar)) {
            complain("must be a single value");
        } else if (isNull(node)) {
            complain("has no value");
        } else {
            return Optional.of(scalar.getValue());
        }
        return Optional.empty();
    }

    public void complain(String reason) {
        complaints.add(at(file, node.getStartMark(), path, reason));
    }

    /** Notes that a member is not there. */
    void complainOf(String member, String reason) {
        complaints.add(at(file, node.getStartMark(), path.isEmpty() ? member : path + "." + member, reason));
    }

    private static Complaint at(Path file, Optional<Mark> mark, String entry, String reason) {
        return new Complaint(
                file,
                mark.map(m -> m.getLine() + 1).orElse(1),
                mark.map(m -> m.getColumn() + 1).orElse(1),
                entry,
                reason);
    }

    private static boolean isNull(Node node) {
        return Tag.NULL.equals(node.getTag());
    }
}
