// The window loads nothing from elsewhere: pictures come through its own origin. `data:` is Leaflet's empty tile,
// `blob:` are canvas previews and workers.
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self' blob:",
  'manifest-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-src': "'none'",
  'frame-ancestors': "'none'",
};

/** Content-Security-Policy of the window. */
export const contentSecurityPolicy = Object.entries(policy)
  .map(([directive, sources]) => `${directive} ${sources}`)
  .join('; ');

/** Headers of every answer that a host gives the window. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
