export default {
  test: { environment: 'happy-dom', include: ['src/**/*.spec.ts'], setupFiles: ['src/test-setup.ts'] },
};
