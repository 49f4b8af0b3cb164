/**
 * People whom an OpenID Connect issuer vouches for: the authorization code flow with PKCE, and what its claims mean here.
 *
 * <p>Depends on nimbus-jose-jwt, the JDK's HTTP client, identity and the seal. Deliberately absent: pages and cookies, which are the console's;
 * refresh tokens and access tokens, which are thrown away; and any way for such a person to call the API from outside.
 */
@NullMarked
package dev.nonbis.server.oidc;

import org.jspecify.annotations.NullMarked;
