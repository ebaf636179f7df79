import eslint from '@eslint/js';
import angular from 'angular-eslint';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', '.angular/', 'node_modules/'] },
  {
    files: ['**/*.ts'],
    extends: [
      eslint.configs.recommended,
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      angular.configs.tsRecommended,
    ],
    processor: angular.processInlineTemplates,
    languageOptions: {
      parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', 300],
      '@angular-eslint/component-selector': ['error', { type: 'element', prefix: 'lj', style: 'kebab-case' }],
      '@angular-eslint/prefer-on-push-component-change-detection': 'error',
    },
  },
  {
    // The hub must stay usable without any framework.
    files: ['projects/livejoin-client/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['@angular/*', 'rxjs', 'rxjs/*', 'livejoin-angular'] }],
    },
  },
  {
    // The page shows what an application of somebody else could show: it has the adapter and nothing behind it.
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['livejoin-client'] }] },
  },
  {
    files: ['**/*.html'],
    extends: [angular.configs.templateRecommended, angular.configs.templateAccessibility],
  },
);
