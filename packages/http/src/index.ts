export {
  callerHeader,
  createCallerSigner,
  createCallerVerifier,
  type AccountCaller,
  type Caller,
} from './caller.js';
export { sendError, statusOf } from './error-response.js';
export {
  createHttpApp,
  MAX_BODY_BYTES,
  payloadTooLarge,
  unsupportedMediaType,
  type HttpAppOptions,
  type RequestObservation,
} from './http-app.js';
export { buildOpenApiDocument, type OpenApiDocument } from './openapi-document.js';
export { describeRoutes, type ApiOperation } from './api-description.js';
export { pageQuery, paginated, paginatedSchema, window, type Page, type Paginated } from './pagination.js';
export { readOnly, uuid } from './validation.js';
export {
  created,
  noContent,
  ok,
  routesOf,
  type AnyRoute,
  type Audience,
  type Method,
  type Reply,
  type Route,
  type RouteRequest,
  type Tag,
} from './route.js';
export { REQUEST_ID_HEADER, requestIdFrom } from './request-id.js';
