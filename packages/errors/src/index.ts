export {
  TrunklineError,
  fromWire,
  toWire,
  type ErrorKind,
  type FieldProblem,
  type WireError,
} from './trunkline-error.js';
export {
  badGateway,
  conflict,
  forbidden,
  invalid,
  notFound,
  rateLimited,
  unauthenticated,
  unavailable,
  unprocessable,
} from './errors.js';
export { ERROR_CODES, type ErrorCode } from './error-codes.js';
