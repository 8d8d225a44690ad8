/* In the layout of @grafana/create-plugin 7; ../README.md says what differs. Run by scripts/build.mjs. */
import path from 'node:path';
import CopyWebpackPlugin from 'copy-webpack-plugin';
import ReplaceInFileWebpackPlugin from 'replace-in-file-webpack-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import webpack, { type Configuration } from 'webpack';
import { SubresourceIntegrityPlugin } from 'webpack-subresource-integrity';
import { DIST_DIR, SOURCE_DIR } from '../bundler/constants.ts';
import { copyFilePatterns } from '../bundler/copyFiles.ts';
import { externals } from '../bundler/externals.ts';
import { getCPConfigVersion, getEntries, getPackageJson, getPluginJson } from '../bundler/utils.ts';
import { BuildModeWebpackPlugin } from './BuildModeWebpackPlugin.ts';

export interface Env {
  readonly production: boolean;
}

function swcRule(extension: 'ts' | 'tsx'): webpack.RuleSetRule {
  return {
    test: extension === 'ts' ? /\.ts$/ : /\.tsx$/,
    exclude: /node_modules/,
    use: {
      loader: 'swc-loader',
      options: {
        jsc: {
          target: 'es2020',
          parser: { syntax: 'typescript', tsx: extension === 'tsx', dynamicImport: true },
          transform: { react: { runtime: 'classic' } },
        },
      },
    },
  };
}

export default function createConfig(env: Env): Configuration {
  const { id } = getPluginJson();
  const { version } = getPackageJson();
  const jsxRuntime = path.resolve(process.cwd(), '.config/bundler/jsxRuntime.js');
  return {
    context: path.resolve(process.cwd(), SOURCE_DIR),
    devtool: env.production ? 'source-map' : 'inline-source-map',
    entry: getEntries(),
    externals,
    mode: env.production ? 'production' : 'development',
    target: ['web', 'es2020'],
    module: {
      parser: { javascript: { dynamicImportMode: 'eager' } },
      rules: [swcRule('ts'), swcRule('tsx'), { test: /\.svg$/, type: 'asset/inline' }],
    },
    optimization: {
      minimize: env.production,
      minimizer: [
        new TerserPlugin({
          extractComments: false,
          terserOptions: {
            format: {
              comments: (_node: unknown, { type, value }: { type: string; value: string }) =>
                type === 'comment2' && value.trim().startsWith('[create-plugin]'),
            },
            compress: { drop_console: ['log', 'info'] },
          },
        }),
      ],
      splitChunks: false,
    },
    output: {
      clean: true,
      filename: '[name].js',
      library: { type: 'amd' },
      path: path.resolve(process.cwd(), DIST_DIR),
      publicPath: `public/plugins/${id}/`,
      uniqueName: id,
      crossOriginLoading: 'anonymous',
    },
    performance: { hints: false },
    plugins: [
      new BuildModeWebpackPlugin(),
      new webpack.BannerPlugin({
        banner: `/* [create-plugin] version: ${getCPConfigVersion()} */\n/* [create-plugin] plugin: ${id}@${version} */`,
        raw: true,
        entryOnly: true,
      }),
      new CopyWebpackPlugin({ patterns: copyFilePatterns }),
      new ReplaceInFileWebpackPlugin([
        {
          dir: DIST_DIR,
          test: [/(^|\/)plugin\.json$/, /(^|\/)README\.md$/],
          rules: [
            { search: /%VERSION%/g, replace: version },
            { search: /%TODAY%/g, replace: new Date().toISOString().substring(0, 10) },
            { search: /%PLUGIN_ID%/g, replace: id },
          ],
        },
      ]),
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha256'] }),
    ],
    resolve: {
      extensions: ['.ts', '.tsx', '.js', '.jsx', '.mjs'],
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
      alias: {
        '@joblens/core': path.resolve(process.cwd(), '../core/src'),
        'react/jsx-runtime$': jsxRuntime,
        'react/jsx-dev-runtime$': jsxRuntime,
      },
    },
  };
}
