import { PanelPlugin, renderTextPanelMarkdown, textUtil, type PanelProps } from '@grafana/data';
import { RenderUserContentAsHTML, ScrollContainer } from '@grafana/ui';
import * as React from 'react';
import { withMeta } from './meta.js';

interface TextOptions {
  readonly mode?: 'markdown' | 'html' | 'code';
  readonly content?: string;
}

/** A substitute for Grafana's text panel: Markdown, HTML (sanitised) and plain text, with variables. */
export function createTextPanel(): PanelPlugin {
  return withMeta(new PanelPlugin<TextOptions>(TextPanel), { id: 'text', name: 'Text', skipDataQuery: true });
}

function TextPanel({ options, replaceVariables }: PanelProps<TextOptions>): React.JSX.Element {
  const content = replaceVariables(options.content ?? '', {}, options.mode === 'code' ? undefined : 'html');
  if (options.mode === 'code') {
    return (
      <ScrollContainer>
        <pre>{content}</pre>
      </ScrollContainer>
    );
  }
  const html = options.mode === 'html' ? textUtil.sanitizeTextPanelContent(content) : renderTextPanelMarkdown(content);
  return (
    <ScrollContainer>
      <RenderUserContentAsHTML className="markdown-html" content={html} />
    </ScrollContainer>
  );
}
