import { z } from 'zod';

// zod compiles validators with `new Function`, which the window's content security policy refuses.
// This module is imported before any that declares a schema.
z.config({ jitless: true });
