export { createTestDatabase, type TestDatabase } from './test-database.js';
export { accountCaller, startTestService, testEnvironment, type TestService } from './test-service.js';
export { fixedClock, type FixedClock } from './fixed-clock.js';
export { eventually } from './eventually.js';
export { expectRefusal } from './expect-refusal.js';
export { findProgram, withPrograms } from './with-programs.js';
