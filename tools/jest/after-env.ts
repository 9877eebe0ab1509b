// Property tests print the seed when they fail; CI may raise the number of runs.
import fc from 'fast-check';

const runs = Number(process.env.FC_RUNS ?? 0);
if (runs > 0) fc.configureGlobal({ numRuns: runs });
