import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import tseslint from 'typescript-eslint';

import { importRules } from './scripts/lint/import-rules.js';
import svelteConfig from './svelte.config.js';

const projects = ['shared', 'backend', 'renderer', 'e2e', 'tools'].map((name) => `./tsconfig.${name}.json`);

/** Selectors of `no-restricted-syntax`, given together because a later entry replaces an earlier one. */
const namedExportsOnly = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'ExportAllDeclaration', message: 'No barrel files: import from the file that declares it.' },
  {
    selector: 'ExportNamedDeclaration[source.value=/^[.#]/]',
    message: 'No barrel files: import from the file that declares it.',
  },
];

export default defineConfig(
  globalIgnores([
    ...['out/', 'dist/', 'test-results/', 'playwright-report/', '.vitest/', 'docs/', 'resources/'],
    // What the build writes for a moment, which may be gone before it is read.
    'electron.vite.config.ts.*',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  {
    name: 'size and shape',
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      complexity: ['error', 12],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-warning-comments': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    name: 'types',
    files: ['**/*.ts', '**/*.svelte'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: projects,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      // TypeScript counts parameters as ESLint does, and knows a `this` parameter.
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      // Two packages may declare the same shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // The compiler finds what is not there.
      'no-undef': 'off',
    },
  },
  {
    name: 'svelte',
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [svelte.configs.recommended, svelte.configs.prettier],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { parser: tseslint.parser, svelteConfig },
    },
    rules: {
      // Props are taken with one `let`, whether or not each is written to.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
      'svelte/no-inspect': 'error',
      'svelte/prefer-svelte-reactivity': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SvelteAttribute[key.name="style"] > SvelteLiteral',
          message: 'The content security policy blocks a literal style attribute: use a class or style:name.',
        },
      ],
    },
  },
  {
    name: 'components in components',
    files: ['**/*.svelte'],
    rules: {
      // The linter sees an imported component and its snippets as `any`; svelte-check knows their types.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
    },
  },
  {
    name: 'named exports',
    files: ['src/**/*.ts', 'bench/**/*.ts', 'e2e/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...namedExportsOnly] },
  },
  ...importRules,
  {
    name: 'programs that speak on the terminal',
    files: ['src/main/cli.ts', 'scripts/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    name: 'tests',
    files: ['**/*.test.ts', 'e2e/**/*.ts'],
    rules: {
      // Matchers such as expect.any() are typed any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/unbound-method': 'off',
      complexity: 'off',
      // A row of a table of cases is as wide as it is.
      '@typescript-eslint/max-params': 'off',
    },
  },
  {
    name: 'plain JavaScript',
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: globals.node },
  },
);
