/** What backendSrv makes of an answer that failed (public/app/core/services/backend_srv.ts, processRequestError). */
export function createFetchError(failed: unknown): object {
  const error = failed as { readonly statusText?: string; readonly data?: unknown };
  const { statusText, data = { message: 'Unexpected error' } } = error;
  const wrapped = (typeof data === 'string' ? { message: data, error: statusText, response: data } : data) as {
    readonly message?: string;
    readonly error?: unknown;
  };
  const message = wrapped.message === undefined || wrapped.message === '' ? wrapped.error : wrapped.message;
  return { ...error, data: typeof message === 'string' ? { ...wrapped, message } : wrapped };
}
