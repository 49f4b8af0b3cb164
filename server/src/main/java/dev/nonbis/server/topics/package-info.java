/**
 * What operators decide for each topic, read from a YAML file and read again when it changes.
 *
 * <p>Depends on core's rules of dispatch and on the reader of YAML. Deliberately absent: what the rules mean.
 */
@NullMarked
package dev.nonbis.server.topics;

import org.jspecify.annotations.NullMarked;
