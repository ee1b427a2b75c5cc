/** A person at the OpenID provider, as they are stored and recorded: `issuer subject`. An issuer is a URL, and has no space. */
export const providerPersonOf = (oidc: string): { issuer: string; subject: string } => {
  const at = oidc.indexOf(' ');
  return { issuer: oidc.slice(0, at), subject: oidc.slice(at + 1) };
};
