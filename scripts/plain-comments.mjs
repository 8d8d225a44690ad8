/** Openings that make a reader wait for the noun: "Of a list, so many …", "Those that …". */
const OPENING = /^[\s*]*(Of|So (?:many|much|long)|Those(?: that| of| who)?)\b/;

/** An ESLint rule: a comment begins with its subject or its verb. @type {import('eslint').Rule.RuleModule} */
export const plainComments = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { opening: 'Begin with the subject or the verb, not with "{{words}}": "The most rows to read."' },
  },
  create: (context) => ({
    Program() {
      const comments = context.sourceCode.getAllComments();
      const isFirst = (comment, before) =>
        comment.type === 'Block' || before?.type !== 'Line' || before.loc.end.line + 1 < comment.loc.start.line;
      comments.forEach((comment, i) => {
        const words = isFirst(comment, comments[i - 1]) ? OPENING.exec(comment.value)?.[1] : undefined;
        if (words !== undefined) context.report({ loc: comment.loc, messageId: 'opening', data: { words } });
      });
    },
  }),
};
