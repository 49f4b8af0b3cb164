package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z][A-Za-z]*(?:Test|Contract))`");

    @Test
    void every_link_between_pages_leads_somewhere() {
        var dead = new ArrayList<String>();
        for (var page : Markdown.all()) {
            LINK.matcher(page.withoutBlocks())
                    .results()
                    .map(link -> link.group(1))
                    .filter(target -> !target.contains("://") && !target.startsWith("mailto:"))
                    .filter(target -> !Files.exists(page.file().resolveSibling(target)))
                    .forEach(target -> dead.add(page.file().getFileName() + " → " + target));
        }

        assertThat(dead).isEmpty();
    }

    @Test
    void every_test_that_a_page_names_exists() throws IOException {
        var known = testClasses();
        var unknown = new ArrayList<String>();
        for (var page : Markdown.all()) {
            TEST_CLASS
                    .matcher(page.text())
                    .results()
                    .map(name -> name.group(1))
                    .filter(name -> !known.contains(name))
                    .forEach(name -> unknown.add(page.file().getFileName() + " names " + name));
        }

        assertThat(unknown).isEmpty();
    }

    @Test
    void the_index_of_the_documentation_links_to_every_page() throws IOException {
        var docs = Markdown.PROJECT.resolve("docs");
        var index = Markdown.of(docs.resolve("README.md"));
        var linked = LINK.matcher(index.text())
                .results()
                .map(link -> docs.resolve(link.group(1)).normalize())
                .collect(Collectors.toSet());

        try (var pages = Files.walk(docs)) {
            assertThat(pages.filter(file -> file.toString().endsWith(".md")).filter(file -> !file.equals(index.file())))
                    .allMatch(linked::contains);
        }
    }

    private static Set<String> testClasses() throws IOException {
        try (var files = Files.walk(Markdown.PROJECT)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith("Test.java") || file.endsWith("Contract.java"))
                    .map(file -> file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
    }
}
