export default {
  // Vite 8 knows decorators only as its option says; earlier versions know them, and not the option.
  oxc: { decorator: { legacy: true } },
  test: { environment: 'happy-dom', include: ['src/**/*.spec.ts'], setupFiles: ['src/test-setup.ts'] },
};
