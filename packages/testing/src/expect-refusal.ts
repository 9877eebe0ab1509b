interface Answer {
  status: number;
  body: { error?: { code: string; details?: { field: string }[] } };
}

/** 400 VALIDATION_FAILED, and the field is the only one named. */
export function expectRefusal(answer: Answer, field: string): void {
  const { code, details = [] } = answer.body.error ?? {};
  expect([answer.status, code]).toEqual([400, 'VALIDATION_FAILED']);
  expect([...new Set(details.map((problem) => problem.field))]).toEqual([field]);
}
