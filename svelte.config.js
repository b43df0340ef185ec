/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  compilerOptions: {
    // Ours are runes only; a package's component says itself what it is.
    runes: ({ filename }) => (filename.includes('node_modules') ? undefined : true),
  },
};
